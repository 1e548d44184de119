/** Approval from a phone, without an account: `purestep/approval-codes`. */
export {
  answerRequest,
  type ApprovalCodesOptions,
  ApprovalCodes,
  type ApprovalRequest,
  type ReadRequest,
  readRequest,
  signedAnswer,
  type WaitingCalls,
} from "./codes.js";
export { fingerprint, MAX_PICTURE_CHARS, publicText } from "./packing.js";
export type { AnswerText, Hints, RequestedCall, RequestText, Said } from "./texts.js";
