import type { JsonObject } from '../../protocol/json.ts';
import type { Context, Route } from '../http/request.ts';

/** A control: its path below `/__mock`, and what it answers. */
export interface ControlRoute {
  readonly method: Route['method'];
  readonly path: string;
  run(c: Context): Promise<JsonObject>;
}

/** A control that tells. */
export function get(path: string, run: ControlRoute['run']): ControlRoute {
  return { method: 'GET', path, run };
}

/** A control that changes something. */
export function post(path: string, run: ControlRoute['run']): ControlRoute {
  return { method: 'POST', path, run };
}
