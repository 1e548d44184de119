/** Takes a code: by the camera, or pasted, as the code alone or as a link with it. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { cameraWords, scanned } from "../data/camera.js";

export interface CodeFieldProps {
  readonly id: string;
  readonly label: string;
  /** What the button that scans says. */
  readonly scan: string;
  /** Whether a text that the camera saw is what is waited for. */
  readonly fits: (text: string) => boolean;
  readonly take: (text: string) => void;
  readonly problem: string;
  /** What the button beside the pasted text says. */
  readonly go: string;
}

export function CodeField({ id, label, scan, go, fits, take, problem }: CodeFieldProps) {
  const pasted = useSignal("");
  const scanning = useSignal(false);
  const trouble = useSignal("");
  const said = trouble.value || problem;
  return (
    <div class="code-field">
      {scanning.value ? (
        <Camera
          fits={fits}
          done={(text) => ((scanning.value = false), text !== undefined && take(text))}
          fail={(words) => ((scanning.value = false), (trouble.value = words))}
        />
      ) : (
        <p class="buttons">
          <button type="button" class="primary" onClick={() => ((trouble.value = ""), (scanning.value = true))}>
            {scan}
          </button>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          trouble.value = "";
          take(pasted.value);
        }}
      >
        <label for={id}>{label}</label>
        <div class="code-pasted">
          <input
            id={id}
            value={pasted.value}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={said !== ""}
            aria-describedby={`${id}-problem`}
            onInput={(event) => (pasted.value = event.currentTarget.value)}
          />
          <button>{go}</button>
        </div>
        <p id={`${id}-problem`} class="problem" role="alert">
          {said}
        </p>
      </form>
    </div>
  );
}

interface CameraProps {
  readonly fits: (text: string) => boolean;
  readonly done: (text?: string) => void;
  readonly fail: (words: string) => void;
}

function Camera({ fits, done, fail }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    scanned(video.current!, fits, stop.signal).then(done, (error) => stop.signal.aborted || fail(cameraWords(error)));
    return () => stop.abort();
  }, []);
  return (
    <div class="block">
      <video class="camera" ref={video} muted playsInline aria-label="What the camera sees" />
      <p class="buttons">
        <button type="button" onClick={() => done()}>
          Stop the camera
        </button>
      </p>
    </div>
  );
}
