// Thinks beside the page, with the same program. A new bank comes as {bank}, a question as {question}, and {measure} asks
// how fast it is. Questions, and the events that answer them, are bytes that only the program understands. A worker of its
// own gets a photo as {grey, width} and answers with the text of the QR code in it.

let dojo;

async function load() {
  const worker = { now: () => performance.now(), tell };
  const { instance } = await WebAssembly.instantiateStreaming(fetch("dojo.wasm"), { worker });
  dojo = instance.exports;
}

// Sends an event that lies in the program's memory.
const tell = (place, length) => postMessage({ event: new Uint8Array(dojo.memory.buffer, place, length).slice() });

function put(bytes) {
  // Making room may move the memory: ask for the place first.
  const place = dojo.inbox(bytes.length);
  new Uint8Array(dojo.memory.buffer, place, bytes.length).set(bytes);
  return bytes.length;
}

function readCode({ grey, width }) {
  try {
    const length = dojo.read_qr(width, put(grey));
    return new TextDecoder().decode(new Uint8Array(dojo.memory.buffer, dojo.outbox(), length).slice());
  } catch {
    return ""; // too much for the reader
  }
}

const loaded = load();

onmessage = async ({ data }) => {
  await loaded;
  if (data.bank) {
    dojo.set_bank(put(data.bank), 0);
  } else if (data.measure) {
    const times = [0, 1].flatMap((kind) => {
      const begun = performance.now();
      return [dojo.work(kind), Math.round(1000 * (performance.now() - begun))];
    });
    postMessage({ times });
  } else if (data.grey) {
    postMessage({ code: readCode(data) });
  } else {
    dojo.ask(put(data.question));
    for (let length; (length = dojo.serve()); ) tell(dojo.outbox(), length);
  }
};
