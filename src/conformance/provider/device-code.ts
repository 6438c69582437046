import { CannotTest } from '../engine/judge.ts';
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

const DEFAULT_INTERVAL = 5;

/**
 * The answer to a device authorization request (RFC 8628 §3.2).
 * @param said The answer for a sentence, without secrets.
 * @throws CannotTest when it starts none.
 */
export function readDeviceCode(answer: Answer, said: string): DeviceCode {
  const must = (member: string): string => {
    const value = answer.string(member);
    if (value !== undefined) return value;
    throw new CannotTest(`A device authorization was answered ${said}, without a ${member}.`);
  };
  const [expiresIn, interval] = ['expires_in', 'interval'].map((name) => answer.member(name));
  return {
    answer,
    deviceCode: must('device_code'),
    userCode: must('user_code'),
    verificationUri: must('verification_uri'),
    expiresIn: typeof expiresIn === 'number' ? expiresIn : undefined,
    interval: typeof interval === 'number' ? interval : DEFAULT_INTERVAL,
  };
}
