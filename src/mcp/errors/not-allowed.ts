import { displayText } from '../../protocol/index.ts';
import { ToolError } from './tool-error.ts';

/** This server was started for other origins. */
export function notAllowed(origin: string, only: readonly string[]): ToolError {
  return new ToolError(`This server may not be used with ${displayText(origin, 200)}.`, {
    code: 'origin_not_allowed',
    hint: `It was started for ${only.join(', ')}. The user may add --only with another origin to its arguments in the configuration of the host, if they know that it belongs to the service.`,
  });
}
