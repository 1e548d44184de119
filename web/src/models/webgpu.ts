/** Whether this browser has the graphics interface that WebLLM computes on. */

/** What there is of WebGPU, and if it is not enough, why. */
export interface WebGpuSupport {
  readonly supported: boolean;
  /** Whether 16-bit floats can be computed, which the smaller builds of most models need. */
  readonly shaderF16: boolean;
  /** Whether it is computed on the CPU, which is far too slow for a model. */
  readonly software: boolean;
  /** What is missing and what to do, for people; "" when nothing is. */
  readonly problem: string;
}

// The part of WebGPU that is asked here; TypeScript's own library does not have it yet.
interface Adapter {
  readonly features: ReadonlySet<string>;
  readonly isFallbackAdapter?: boolean;
  readonly info?: { readonly isFallbackAdapter?: boolean };
}
interface Gpu {
  requestAdapter(options?: { powerPreference?: string }): Promise<Adapter | null>;
}

const NONE = { supported: false, shaderF16: false, software: false };

/** Tells whether models can run on WebGPU here; never throws. */
export async function webGpuSupport(): Promise<WebGpuSupport> {
  const gpu = (globalThis.navigator as { gpu?: Gpu } | undefined)?.gpu;
  if (!gpu) return { ...NONE, problem: withoutGpu() };
  try {
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    return adapter ? described(adapter) : { ...NONE, problem: NO_ADAPTER };
  } catch {
    return { ...NONE, problem: NO_ADAPTER };
  }
}

const NO_ADAPTER =
  "WebGPU finds no graphics card that it may use. Update the graphics driver, switch on hardware acceleration in the " +
  "browser's settings, or choose a model that runs on the CPU.";

function withoutGpu(): string {
  if (globalThis.isSecureContext === false) {
    return "WebGPU is only there on secure pages. Open this one by https, or from localhost.";
  }
  return "This browser has no WebGPU. Use a current Chrome, Edge, Firefox or Safari, or choose a model that runs on the CPU.";
}

function described(adapter: Adapter): WebGpuSupport {
  const software = adapter.info?.isFallbackAdapter ?? adapter.isFallbackAdapter ?? false;
  return { supported: true, shaderF16: adapter.features.has("shader-f16"), software, problem: "" };
}
