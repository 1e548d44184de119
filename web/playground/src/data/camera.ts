/** Reads QR codes with a camera. */

const BETWEEN_MS = 120;
/** A code of a thousand characters has 105 modules a side; each wants a few pixels. */
const WANTED = { video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } } };

interface Detector {
  detect(image: ImageData): Promise<readonly { readonly rawValue: string }[]>;
}

/** Shows the camera in `video` until a code that fits is in sight, and gives its text; rejects without a camera. */
export async function scanned(video: HTMLVideoElement, fits: (text: string) => boolean, signal: AbortSignal) {
  const stream = await navigator.mediaDevices.getUserMedia(WANTED);
  try {
    video.srcObject = stream;
    await video.play();
    const read = await reader();
    for (; !signal.aborted; await new Promise((done) => setTimeout(done, BETWEEN_MS))) {
      const found = (await read(picture(video))).find(fits);
      if (found !== undefined) return found;
    }
    throw new DOMException("stopped", "AbortError");
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}

/** What went wrong with a camera, in words. */
export function cameraWords(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError") return "The browser may not use the camera here. Allow it, or paste the link.";
  return "No camera can be used here. Paste the link instead.";
}

function picture(video: HTMLVideoElement): ImageData {
  const canvas = new OffscreenCanvas(Math.max(1, video.videoWidth), Math.max(1, video.videoHeight));
  const drawn = canvas.getContext("2d", { willReadFrequently: true })!;
  drawn.drawImage(video, 0, 0);
  return drawn.getImageData(0, 0, canvas.width, canvas.height);
}

/** The browser's own reader, or one in JavaScript. */
async function reader(): Promise<(image: ImageData) => Promise<readonly string[]>> {
  const own = (globalThis as { BarcodeDetector?: new (options: object) => Detector }).BarcodeDetector;
  if (own) {
    const detector = new own({ formats: ["qr_code"] });
    return async (image) => (await detector.detect(image)).map(({ rawValue }) => rawValue);
  }
  const { decodeQR } = await import("qr/decode.js");
  return async (image) => {
    try {
      return [decodeQR(image)];
    } catch {
      return []; // none is in sight
    }
  };
}
