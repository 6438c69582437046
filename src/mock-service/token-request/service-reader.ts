import {
  type BodyReader,
  bearerCredentials,
  bodyReader,
  type ReadCredentials,
} from '../../mock/http/request.ts';
import { type TargetReader, target } from './target.ts';

/** How requests are read. */
export interface ServiceReader extends BodyReader {
  /** How a call of a protected resource shows its access token. */
  readonly credentials: ReadCredentials;
  readonly target: TargetReader;
}

export const serviceReader: ServiceReader = {
  ...bodyReader,
  credentials: bearerCredentials,
  target,
};
