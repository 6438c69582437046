import type { OpenClaim, Registration, Service } from '../model.ts';
import type { Tools } from '../tools.ts';

/** A registration at its service, as it is now. */
export interface AtService {
  readonly tools: Tools;
  readonly service: Service;
  readonly registration: Registration;
}

/** The same with its claim, which is open. */
export interface AtClaim extends AtService {
  readonly claim: OpenClaim;
}
