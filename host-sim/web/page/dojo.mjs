// The page around the handheld. It knows the console (dojo.wasm), not the games: buttons and time go in, pixels, words
// and commands come out.

const SCREENS = [
  { name: "oled", width: 128, height: 64 },
  { name: "lcd", width: 240, height: 240 },
];
const SAVE_VERSION = "dojo.1.";
const TICK_MS = 50;
// Physical keys, so that neither layout nor caps lock matters.
const KEYS = {
  ArrowUp: 0, ArrowDown: 1, ArrowLeft: 2, ArrowRight: 3,
  KeyZ: 4, Enter: 4, Space: 4, KeyX: 5, Escape: 5, KeyA: 6, KeyS: 7,
};
const [A, B] = [4, 5];
const HOLD_MS = 700;
const MESSAGE_MS = 12000;

const $ = (id) => document.getElementById(id);
const canvas = $("screen");
const context = canvas.getContext("2d", { alpha: false });
const begun = performance.now();
const now = () => Math.floor(performance.now() - begun);

let dojo, worker, bank, shown;
let audio, awake;
let ticked = 0;
// While a shared game is looked at, nothing is kept: one's own games stay as they are.
let visiting = false;

// With #trace in the address all that goes into the console is written down, and a checksum of each picture.
const trace = new URLSearchParams(location.hash.slice(1)).has("trace") ? [] : undefined;
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
// A copy: what follows uses the outbox, too.
const slots = () => [...take(dojo.slots())];
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
  if (visiting) return;
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
    else if (command === 3) keep("slot" + dojo.word(0), toText(take(dojo.word(1))));
    else if (command === 4) play(new Uint16Array(take(dojo.word(0)).buffer), dojo.word(1));
    else if (command === 7) worker.postMessage({ measure: true });
    else if (command === 5) light(dojo.word(0));
  }
  const length = dojo.brains();
  if (length) keep("brains", toText(take(length)));
}

// A dark display says that it is asleep; the browser may then darken the real one.
function light(percent) {
  canvas.style.opacity = 0.4 + 0.006 * percent;
  $("asleep").hidden = percent > 0;
  if (percent) stayAwake();
  else awake?.release().catch(() => {});
}

async function stayAwake() {
  if (!navigator.wakeLock || document.hidden || (awake && !awake.released)) return;
  try {
    awake = await navigator.wakeLock.request("screen");
  } catch {
    awake = undefined; // the battery is low, or the page is not allowed to
  }
}
document.addEventListener("visibilitychange", () => $("asleep").hidden && stayAwake());

const LOUDNESS = [0, 0.012, 0.035, 0.1];
let tune;

// Notes, one after the other: hertz (0 is silence) and milliseconds.
function play(notes, volume) {
  // Browsers allow sound only after the first press.
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  tune?.stop();
  tune = audio.createOscillator();
  const gain = audio.createGain();
  tune.type = "square";
  let at = audio.currentTime;
  for (let note = 0; note < notes.length; note += 2) {
    gain.gain.setValueAtTime(notes[note] ? LOUDNESS[volume] : 0, at);
    if (notes[note]) tune.frequency.setValueAtTime(notes[note], at);
    at += notes[note + 1] / 1000;
  }
  tune.connect(gain).connect(audio.destination);
  tune.start();
  tune.stop(at);
}

// The picture

function tick() {
  ticked = now();
  call("tick", ticked);
  obey();
}

function paint() {
  // What moves needs more pictures than the timer's.
  if (dojo.step() < TICK_MS && now() - ticked >= dojo.step()) tick();
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

// As large as fits the window. Whole pixels where that costs little room; a phone's own pixels are too fine to see the
// difference.
function fit() {
  const portrait = matchMedia("(orientation: portrait)").matches;
  const flat = matchMedia("(orientation: landscape) and (max-height: 520px)").matches;
  const key = parseFloat(getComputedStyle(document.querySelector(".keys button")).width) || 48;
  const around = ["header", "nav"].map((name) => document.querySelector(name).getBoundingClientRect().height);
  const wide = innerWidth - (portrait ? 34 : 6 * key + (flat ? 60 : 150));
  const high = innerHeight - (flat ? 16 : around[0] + around[1] + (portrait ? 3 * key + 72 : 110));
  const dots = devicePixelRatio || 1;
  const most = Math.max(1, Math.min((wide * dots) / shown.width, (high * dots) / shown.height));
  const factor = Math.floor(most) > 0.85 * most ? Math.floor(most) : most;
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

function press(button) {
  level(button, true);
  level(button, false);
}

const buzz = () => navigator.userActivation?.hasBeenActive && navigator.vibrate?.(8);

for (const key of document.querySelectorAll("[data-button]")) {
  const button = Number(key.dataset.button);
  key.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    // A finger that slides off a button still lets it go. Made-up events have no pointer to hold.
    try { key.setPointerCapture(event.pointerId); } catch {}
    if (event.pointerType === "touch") buzz();
    level(button, true);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    key.addEventListener(end, () => level(button, false));
  }
  // Space, a screen reader or a switch clicks without a pointer.
  key.addEventListener("click", (event) => {
    if (event.detail === 0) press(button);
  });
  key.addEventListener("contextmenu", (event) => event.preventDefault());
}

function hold(button) {
  level(button, true);
  setTimeout(() => level(button, false), HOLD_MS);
}
$("pause").onclick = () => hold(B);

function onKey(event, isDown) {
  const button = KEYS[event.code];
  // Enter and Space belong to a button that has the focus, and all keys to an open card.
  const focused = event.target.closest?.("button, input, a");
  const elsewhere = document.querySelector("dialog[open]") || (focused && ["Enter", "Space"].includes(event.code));
  if (elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.code === "KeyP" && isDown && !event.repeat) hold(B);
  if (button === undefined) return;
  event.preventDefault();
  if (!event.repeat) level(button, isDown);
}
addEventListener("keydown", (event) => onKey(event, true));
addEventListener("keyup", (event) => onKey(event, false));
addEventListener("blur", () => [...down].forEach((button) => level(button, false)));

// Touching the picture: a finger shows the move, lifting it plays; in lists a finger that moves scrolls

const [LOOK, POINT, TAP] = [0, 1, 2];
const [NOTHING, ROW, PLACE] = [0, 1, 2];
let finger;

function pixel(event) {
  const box = canvas.getBoundingClientRect();
  return [
    Math.floor(((event.clientX - box.left) * shown.width) / box.width),
    Math.floor(((event.clientY - box.top) * shown.height) / box.height),
  ];
}

canvas.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  event.preventDefault();
  // On a dark display any button only wakes it.
  if (!$("asleep").hidden) { press(A); return; }
  try { canvas.setPointerCapture(event.pointerId); } catch {}
  const at = pixel(event);
  finger = { id: event.pointerId, y: at[1], kind: dojo.touch(LOOK, ...at), scrolled: false };
  if (event.pointerType === "touch") buzz();
  if (finger.kind === PLACE) { call("touch", POINT, ...at); obey(); }
});
canvas.addEventListener("pointermove", (event) => {
  if (finger?.id !== event.pointerId) return;
  const at = pixel(event);
  if (finger.kind === PLACE) {
    if (dojo.touch(LOOK, ...at) === PLACE) { call("touch", POINT, ...at); obey(); }
    return;
  }
  const row = shown.height / 9;
  while (finger.kind === ROW && Math.abs(at[1] - finger.y) > row) {
    const button = at[1] < finger.y ? 1 : 0;
    finger.y += at[1] < finger.y ? -row : row;
    finger.scrolled = true;
    press(button);
  }
});
canvas.addEventListener("pointerup", (event) => {
  if (finger?.id !== event.pointerId) return;
  const { scrolled, kind } = finger;
  finger = undefined;
  const at = pixel(event);
  // A finger that leaves the board before it is lifted has changed its mind.
  const found = dojo.touch(LOOK, ...at);
  if (scrolled || found === NOTHING || (kind === PLACE) !== (found === PLACE)) return;
  call("touch", TAP, ...at);
  obey();
});
// The wheel goes up and down, a notch at a time.
const NOTCH = 100;
let turned = 0;
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  turned += event.deltaMode ? Math.sign(event.deltaY) * NOTCH : event.deltaY;
  for (; Math.abs(turned) >= NOTCH; turned -= Math.sign(turned) * NOTCH) press(turned > 0 ? 1 : 0);
}, { passive: false });
canvas.addEventListener("pointercancel", () => { finger = undefined; });
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

// Messages, cards and files

function say(words, isBad = false) {
  $("message").textContent = words;
  $("message").classList.toggle("bad", isBad);
  $("message").hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { $("message").hidden = true; }, MESSAGE_MS);
}

for (const card of document.querySelectorAll("dialog")) {
  card.querySelectorAll(".close").forEach((button) => { button.onclick = () => card.close(); });
  // A click beside the card closes it.
  card.addEventListener("click", (event) => event.target === card && card.close());
}
const closeCards = () => document.querySelectorAll("dialog[open]").forEach((card) => card.close());

function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

async function loadBrain(file) {
  const bytes = await bytesOf(file);
  const refused = dojo.set_bank(put(bytes), 1);
  if (refused) return say(`${file.name} is refused: ${text(refused)}`, true);
  bank = bytes;
  worker.terminate();
  hire();
  obey();
  keep("bank", toText(bytes));
  closeCards();
  say(`${file.name} is in use.`);
  showBrains();
}

async function loadSave(file) {
  const bytes = await bytesOf(file);
  const refused = dojo.check_save(put(bytes));
  if (refused) return say(`${file.name} is refused: ${text(refused)}`, true);
  if (visiting) forgetLink();
  visiting = false;
  for (const slot of slots()) {
    const kept = take(dojo.slot_of_save(slot, bytes.length));
    keep("slot" + slot, toText(kept));
  }
  location.reload();
}

async function loadGame(file) {
  const length = dojo.read_game(put(await bytesOf(file)));
  if (!length) return say(`${file.name} is refused: ${text(dojo.word(0))}`, true);
  closeCards();
  visit(take(length));
}

// A photo of the QR code that another page or a handheld shows.
async function loadPhoto(file) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, 1200 / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)));
  const copy = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  copy.drawImage(picture, 0, 0, width, height);
  const { data } = copy.getImageData(0, 0, width, height);
  const grey = Uint8Array.from({ length: width * height }, (_, at) => (3 * data[4 * at] + 6 * data[4 * at + 1] + data[4 * at + 2]) / 10);
  const reader = new Worker("worker.mjs", { type: "module" });
  const code = await new Promise((done) => {
    reader.onmessage = (answer) => done(answer.data.code);
    reader.onerror = () => done("");
    reader.postMessage({ grey, width });
  });
  reader.terminate();
  const letters = /#(?:.*&)?g=([\w-]+)/.exec(code)?.[1];
  if (!letters) return say(`${file.name}: no QR code of a game was found in this picture.`, true);
  closeCards();
  visit(fromLink(letters));
}

const openGame = (file) => (file.type.startsWith("image/")
  ? loadPhoto(file).catch(() => say(`${file.name}: this picture cannot be read.`, true))
  : loadGame(file));

function load(file) {
  if (file.name.endsWith(".save")) loadSave(file);
  else if (file.name.endsWith(".bank")) loadBrain(file);
  else openGame(file);
}

// A model's crest: rows of cells, four letters each. It repeats the checksum, so nothing is told of it.
function portrait(rows) {
  const [cells, rim] = [14, 2];
  const picture = Object.assign(document.createElement("canvas"), { className: "crest", width: cells + 2 * rim, height: cells + 2 * rim });
  picture.setAttribute("aria-hidden", "true");
  const pen = picture.getContext("2d");
  pen.fillStyle = "#ffc247";
  for (let at = 0; at < cells * cells; at++) {
    const [x, y] = [at % cells, Math.floor(at / cells)];
    if (parseInt(rows.slice(4 * y, 4 * y + 4), 16) >> x & 1) pen.fillRect(rim + x, rim + y, 1, 1);
  }
  return picture;
}

function showBrains() {
  const cards = text(dojo.bank_card()).split("\n").filter(Boolean).map((line) => {
    const [name, game, games, seed, day, strength, checksum, belt, crest] = line.split("\t");
    const card = document.createElement("article");
    if (belt) card.className = `belt-${belt}`;
    const [title, kind] = [document.createElement("h3"), document.createElement("p")];
    [title.textContent, kind.textContent] = [name, game];
    const facts = document.createElement("dl");
    const made = day.length === 8 ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : "unknown";
    const all = {
      ...(games > 0 && { "Games trained": Number(games).toLocaleString("en"), Seed: seed }),
      Made: made,
      ...(strength > 0 && { "Against random": `${(strength / 10).toFixed(1)} %` }),
      Checksum: checksum,
    };
    for (const [label, value] of Object.entries(all)) {
      const [term, fact] = [document.createElement("dt"), document.createElement("dd")];
      [term.textContent, fact.textContent] = [label, value];
      facts.append(term, fact);
    }
    card.append(portrait(crest), title, kind, facts);
    return card;
  });
  $("brains").replaceChildren(...cards);
  $("brain-card").showModal();
}

// A game as a link: its set-up and its moves, in letters that need no escaping

const toLink = (bytes) => toText(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const fromLink = (letters) => toBytes(letters.replaceAll("-", "+").replaceAll("_", "/"));

function share() {
  const length = dojo.game();
  if (!length) return say("There is no game to share: play one first.", true);
  const link = new URL(`#g=${toLink(take(length))}`, location.origin + location.pathname).href;
  $("link").value = link;
  const code = take(dojo.qr(put(new TextEncoder().encode(link))));
  const [size, rim] = [code[0] ?? 0, 4];
  const picture = $("qr");
  picture.hidden = !size;
  picture.width = picture.height = size + 2 * rim;
  const pen = picture.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.fillStyle = "#000";
  code.slice(1).forEach((dark, at) => dark && pen.fillRect(rim + (at % size), rim + Math.floor(at / size), 1, 1));
  $("copy").textContent = "Copy";
  $("send").hidden = !navigator.share;
  $("share-card").showModal();
}

function visit(bytes) {
  visiting = true;
  $("visit").hidden = false;
  trace?.push(["show", toText(bytes)]);
  const known = dojo.show(put(bytes));
  obey();
  if (!known) say("The link holds no game that can be read: it may have been cut.", true);
}

function visitLink() {
  const letters = new URLSearchParams(location.hash.slice(1)).get("g");
  if (!letters) return;
  try {
    visit(fromLink(letters));
  } catch {
    say("The link holds no game that can be read: it may have been cut.", true);
  }
}
addEventListener("hashchange", visitLink);

const forgetLink = () => history.replaceState(null, "", location.pathname + location.search);

$("leave").onclick = () => {
  forgetLink();
  location.reload();
};
$("share").onclick = share;
$("copy").onclick = async () => {
  $("link").select();
  // Without https a page may not write to the clipboard by itself.
  try { await navigator.clipboard.writeText($("link").value); } catch { document.execCommand("copy"); }
  $("copy").textContent = "Copied";
};
// Phones hand a link to their other apps. Whoever changes their mind there is told nothing.
$("send").onclick = () => navigator.share({ title: "A game of Pocket Dojo", url: $("link").value }).catch(() => {});
$("more").onclick = () => $("more-card").showModal();
$("full").onclick = () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.({ navigationUI: "hide" }).catch(() => say("This browser has no full screen.", true));
};
$("full").hidden = !document.fullscreenEnabled;
document.addEventListener("fullscreenchange", () => {
  $("full").textContent = document.fullscreenElement ? "Leave full screen" : "Full screen";
});
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  $("install").hidden = false;
  $("install").onclick = () => event.prompt();
});
$("insecure").hidden = isSecureContext;

$("switch").onclick = () => {
  const screen = 1 - shown.screen;
  call("set_screen", screen);
  show(screen);
  keep("screen", screen);
};
for (const [button, field, read] of [["brain", "brain-file", loadBrain], ["import", "save-file", loadSave], ["open-game", "game-file", openGame]]) {
  $(button).onclick = () => $(field).click();
  $(field).onchange = ({ target }) => {
    const [file] = target.files;
    closeCards();
    if (file) read(file);
    // The same file can be chosen again, once it was mended.
    target.value = "";
  };
}
$("card").onclick = () => { closeCards(); showBrains(); };
$("export").onclick = () => download("handheld.save", take(dojo.export_save()));
$("save-record").onclick = () => {
  const length = dojo.record();
  if (length) return download("game.txt", take(length));
  closeCards();
  say("There is no game to save: play one first.", true);
};
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  if (file) load(file);
});

// Switching on

async function start() {
  const [{ instance }, shipped] = await Promise.all([
    // The page's own copy never thinks.
    WebAssembly.instantiateStreaming(fetch("dojo.wasm"), { worker: { now: () => 0, tell: () => {} } }),
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
  for (const slot of slots()) {
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
  visitLink();
  paint();
  setInterval(tick, TICK_MS);
  globalThis.dojoPage = {
    trace,
    firstFrame: performance.now(),
    // What can be touched, for tests: left, top, width, height and name.
    touchables: () => text(dojo.touchables()),
    screenName: () => text(dojo.screen_name()),
  };
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
}

start().catch((error) => say(`The handheld does not start: ${error.message}`, true));
