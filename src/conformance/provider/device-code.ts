import type { Answer } from '../http/answer.ts';

/** A device authorization that was started. */
export interface DeviceCode {
  readonly answer: Answer;
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  /** Seconds. */
  readonly expiresIn: number | undefined;
  readonly interval: number;
}
