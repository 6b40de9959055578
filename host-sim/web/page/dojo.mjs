// The page around the handheld. It knows the console (dojo.wasm), not the games: buttons and time go in, pixels, words
// and commands come out.

const SCREENS = [
  { name: "oled", width: 128, height: 64 },
  { name: "lcd", width: 240, height: 240 },
];
const SLOTS = [1, 2, 3];
const SAVE_VERSION = "dojo.1.";
const TICK_MS = 50;
// Physical keys, so that neither layout nor caps lock matters.
const KEYS = {
  ArrowUp: 0, ArrowDown: 1, ArrowLeft: 2, ArrowRight: 3,
  KeyZ: 4, Enter: 4, KeyX: 5, Escape: 5, KeyA: 6, KeyS: 7,
};

const $ = (id) => document.getElementById(id);
const canvas = $("screen");
const context = canvas.getContext("2d", { alpha: false });
const begun = performance.now();
const now = () => Math.floor(performance.now() - begun);

let dojo, worker, bank, shown;
let audio;

// With #trace in the address all that goes into the console is written down, and a checksum of each picture.
const trace = location.hash === "#trace" ? [] : undefined;
const call = (name, ...args) => {
  trace?.push([name, ...args]);
  return dojo[name](...args);
};

// Bytes in and out

function put(bytes) {
  // Making room may move the memory: ask for the place first.
  const place = dojo.inbox(bytes.length);
  new Uint8Array(dojo.memory.buffer, place, bytes.length).set(bytes);
  return bytes.length;
}
const take = (length) => new Uint8Array(dojo.memory.buffer, dojo.outbox(), length).slice();
const text = (length) => new TextDecoder().decode(take(length));

// What is kept: a few bytes a slot, as text

const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const toBytes = (kept) => Uint8Array.from(atob(kept), (letter) => letter.charCodeAt(0));

function recall(name) {
  try {
    return localStorage.getItem(SAVE_VERSION + name);
  } catch {
    return null; // storage is forbidden: play goes on, nothing is kept
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(SAVE_VERSION + name, value);
  } catch {
    say("The browser keeps nothing: the game will be lost when the page is closed.", true);
  }
}

function recallBytes(name) {
  try {
    return toBytes(recall(name) ?? "");
  } catch {
    return new Uint8Array([255]); // not our text: the console says that it cannot be read
  }
}

// Thinking

function hire() {
  worker = new Worker("worker.mjs", { type: "module" });
  worker.postMessage({ bank });
  worker.onmessage = ({ data: { times, event } }) => {
    if (times) call("measured", ...times);
    else { trace?.push(["event", toText(event)]); dojo.event(put(event)); }
    obey();
  };
}

// Commands of the console

function obey() {
  for (let command; (command = dojo.command()); ) {
    if (command === 1) worker.postMessage({ question: take(dojo.word(0)) });
    else if (command === 2) { worker.terminate(); hire(); }
    else if (command === 3) { const slot = dojo.word(0); keep("slot" + slot, toText(take(dojo.kept(slot)))); }
    else if (command === 4) beep(dojo.word(0), dojo.word(1));
    else if (command === 7) worker.postMessage({ measure: true });
    else if (command === 5) canvas.style.opacity = dojo.word(0) && 0.4 + 0.006 * dojo.word(0);
  }
  const length = dojo.brains();
  if (length) keep("brains", toText(take(length)));
}

function beep(hertz, millis) {
  // Browsers allow sound only after the first press.
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  const [tone, gain] = [audio.createOscillator(), audio.createGain()];
  tone.type = "square";
  tone.frequency.value = hertz;
  gain.gain.value = 0.04;
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + millis / 1000);
}

// The picture

function paint() {
  // Phones report a turn before the new size holds: look again, it costs nothing.
  const size = [innerWidth, innerHeight, devicePixelRatio].join();
  if (shown.size !== size) {
    shown.size = size;
    fit();
  }
  if (dojo.needs_draw() || shown.stale) {
    shown.stale = false;
    const pixels = dojo.draw();
    const { width, height } = shown;
    const words = text(dojo.told());
    const bytes = new Uint8ClampedArray(dojo.memory.buffer, pixels, 4 * width * height);
    context.putImageData(new ImageData(bytes.slice(), width, height), 0, 0);
    if ($("told").textContent !== words) $("told").textContent = words;
    trace?.push(["frame", checksum(context.getImageData(0, 0, width, height).data)]);
  }
  requestAnimationFrame(paint);
}

function checksum(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

function show(screen) {
  shown = { ...SCREENS[screen], screen, stale: true };
  [canvas.width, canvas.height] = [shown.width, shown.height];
  $("device").className = shown.name;
  $("switch").textContent = screen ? "Mono display" : "Colour display";
}

// Whole pixels only: the largest factor for which the device fits the window.
function fit() {
  const portrait = matchMedia("(orientation: portrait)").matches;
  const flat = matchMedia("(orientation: landscape) and (max-height: 520px)").matches;
  const key = parseFloat(getComputedStyle(document.querySelector(".keys button")).width) || 48;
  const wide = innerWidth - (portrait ? 80 : 6 * key + 190);
  const high = innerHeight - (portrait ? 3 * key + 330 : flat ? 60 : 230);
  const dots = devicePixelRatio || 1;
  const factor = Math.max(1, Math.floor(Math.min((wide * dots) / shown.width, (high * dots) / shown.height)));
  canvas.style.width = (shown.width * factor) / dots + "px";
  canvas.style.height = (shown.height * factor) / dots + "px";
}

// Buttons: levels go in, the console's own code makes presses, repeats and holding of them

const down = new Set();

function level(button, isDown) {
  if (down.has(button) === isDown) return;
  down[isDown ? "add" : "delete"](button);
  document.querySelector(`[data-button="${button}"]`).classList.toggle("down-now", isDown);
  call("pin", button, isDown ? 1 : 0, now());
  obey();
}

for (const key of document.querySelectorAll("[data-button]")) {
  const button = Number(key.dataset.button);
  key.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    // A finger that slides off a button still lets it go. Made-up events have no pointer to hold.
    try { key.setPointerCapture(event.pointerId); } catch {}
    level(button, true);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    key.addEventListener(end, () => level(button, false));
  }
  key.addEventListener("contextmenu", (event) => event.preventDefault());
}

function onKey(event, isDown) {
  const button = KEYS[event.code];
  // Enter on one of the page's own buttons belongs to that button.
  const elsewhere = event.code === "Enter" && event.target.closest?.("nav");
  if (button === undefined || elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!event.repeat) level(button, isDown);
}
addEventListener("keydown", (event) => onKey(event, true));
addEventListener("keyup", (event) => onKey(event, false));
addEventListener("blur", () => [...down].forEach((button) => level(button, false)));

// Files

function say(words, isBad = false) {
  $("message").textContent = words;
  $("message").classList.toggle("bad", isBad);
  $("message").hidden = false;
}

function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function loadBrain(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const refused = dojo.set_bank(put(bytes), 1);
  if (refused) return say(`${file.name} is refused: ${text(refused)}`, true);
  bank = bytes;
  worker.terminate();
  hire();
  obey();
  keep("bank", toText(bytes));
  say(`${file.name} is in use.\n${text(dojo.bank_card())}`);
}

async function loadSave(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const refused = dojo.check_save(put(bytes));
  if (refused) return say(`${file.name} is refused: ${text(refused)}`, true);
  for (const slot of SLOTS) {
    const kept = take(dojo.slot_of_save(slot, bytes.length));
    if (kept.length) keep("slot" + slot, toText(kept));
  }
  location.reload();
}

$("switch").onclick = () => {
  const screen = 1 - shown.screen;
  call("set_screen", screen);
  show(screen);
  keep("screen", screen);
};
$("brain").onclick = () => $("brain-file").click();
$("import").onclick = () => $("save-file").click();
$("brain-file").onchange = ({ target }) => target.files[0] && loadBrain(target.files[0]);
$("save-file").onchange = ({ target }) => target.files[0] && loadSave(target.files[0]);
$("card").onclick = () => say(text(dojo.bank_card()) || "No brain is loaded.");
$("export").onclick = () => download("handheld.save", take(dojo.export_save()));
$("save-record").onclick = () => {
  const length = dojo.record();
  if (length) download("game.txt", take(length));
  else say("There is no game to save: play one first.", true);
};
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  if (file) (file.name.endsWith(".save") ? loadSave : loadBrain)(file);
});

// Switching on

async function start() {
  const [{ instance }, shipped] = await Promise.all([
    WebAssembly.instantiateStreaming(fetch("dojo.wasm")),
    fetch("dojo.bank").then((answer) => answer.arrayBuffer()),
  ]);
  dojo = instance.exports;
  const screen = Number(recall("screen") ?? 1) & 1;
  const seed = new URLSearchParams(location.search).get("seed");
  const [low, high] = seed ? [Number(seed) >>> 0, 0] : crypto.getRandomValues(new Uint32Array(2));
  call("start", screen, low, high);
  bank = recall("bank") ? recallBytes("bank") : new Uint8Array(shipped);
  const refused = dojo.set_bank(put(bank), 1);
  if (refused) {
    say(`The brain kept by this page is refused: ${text(refused)}. The shipped one is used.`, true);
    bank = new Uint8Array(shipped);
    dojo.set_bank(put(bank), 1);
  }
  for (const slot of SLOTS) {
    const kept = recallBytes("slot" + slot);
    if (kept.length) {
      trace?.push(["restore", slot, toText(kept)]);
      dojo.restore(slot, put(kept));
    }
  }
  const brains = recallBytes("brains");
  if (brains.length) trace?.push(["restore_brains", toText(brains)]);
  dojo.restore_brains(put(brains));
  call("ready");
  hire();
  show(screen);
  obey();
  paint();
  setInterval(() => { call("tick", now()); obey(); }, TICK_MS);
  globalThis.dojoPage = { trace, name: shown.name, firstFrame: performance.now() };
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
}

start().catch((error) => say(`The handheld does not start: ${error.message}`, true));
