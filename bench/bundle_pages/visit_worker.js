// The worker of visit.js.
import { step } from "./visit.js";

self.onmessage = ({ data }) =>
  step(data).then(
    () => self.postMessage("done"),
    (error) => self.postMessage(String(error.message ?? error)),
  );
