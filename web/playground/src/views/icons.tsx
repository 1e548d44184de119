/** Line icons, drawn on a grid of 16; always next to a text. */
import type { Tone } from "../data/event_words.js";

const PATHS = {
  accepted: "M3 8.5 6.5 12 13 4.5",
  rejected: "M4 4l8 8M12 4l-8 8",
  corrected: "M4 6h5.5a3 3 0 0 1 0 6H6M6.5 3 3.5 6l3 3",
  waiting: "M8 4.5V8l2.5 1.5M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2",
  failed: "M8 5v3.5M8 11h.01M8 2 1.8 13h12.4z",
  made: "M3 8h9M8.5 4.5 12 8l-3.5 3.5",
  plain: "M8 6.6a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.2v1.4M8 13.4v1.4M1.2 8h1.4M13.4 8h1.4M3.2 3.2l1 1M11.8 11.8l1 1M3.2 12.8l1-1M11.8 4.2l1-1",
  settings:
    "M2.500 4.500h6M12 4.500h1.500M2.500 11.500h1.500M7.500 11.500h6M10.200 3a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3M5.700 10a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M5.5 5.5V3h7.5v7.5h-2.5M3 5.5h7.5V13H3z",
  back: "M9.5 3.5 5 8l4.5 4.5",
  forward: "M6.5 3.5 11 8l-4.5 4.5",
  inspect: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.2 10.2l3.3 3.3",
  branch: "M4.5 3v10M4.5 9.5c4 0 6.500-1 6.500-4.500M9 6.500l2-2 2 2",
  stop: "M4.500 4.500h7v7h-7z",
  send: "M8 13V3.500M4 7l4-4 4 4",
  download: "M8 2.500v7.500M4.500 7 8 10.500 11.500 7M3 13.500h10",
  open: "M2.500 12.500v-9h4l1.500 2h5.500v7z",
  outside: "M13.500 2.500 8 8M8 3.500V8h4.500M11.500 10.500v2.500h-8.500v-8.500h2.500",
  link: "M7 9a2.500 2.500 0 0 0 3.500 0l2-2a2.500 2.500 0 0 0-3.500-3.500l-.7.7M9 7a2.500 2.500 0 0 0-3.500 0l-2 2a2.500 2.500 0 0 0 3.500 3.500l.7-.7",
  tools:
    "M9.500 3.200a3 3 0 0 1 3.700-.6L11.400 4.500v1.600h1.600l1.800-1.800a3 3 0 0 1-4.100 3.600L5.600 13a1.500 1.500 0 0 1-2.100-2.100l5.100-5.100a3 3 0 0 1 .9-2.600",
  plus: "M8 3v10M3 8h10",
  unfold: "M4.500 6.500 8 10l3.500-3.500",
  phone: "M5 1.800h6v12.400h-6zM7.200 12h1.600",
  file: "M4 2.500h5l3 3v8h-8zM9 2.500v3h3",
  attach:
    "M12.500 7.500 8 12a3 3 0 0 1-4.300-4.300L9 2.500a2 2 0 0 1 2.800 2.800L6.800 10.300a.9.9 0 0 1-1.300-1.300L9.500 5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function ToneIcon({ tone }: { tone: Tone }) {
  return (
    <span class={`tone-icon tone-${tone}`}>
      <Icon name={tone} />
    </span>
  );
}
