import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { callControl } from './controls/call-control.ts';
import { findMocks, type Part } from './controls/find-mocks.ts';
import { presentRotation, type Rotation } from './present-control.ts';

export interface MockRotateOptions {
  readonly lead?: number;
}

/** Makes the next signing key of a running mock, or of both. */
export async function mockRotate(
  context: Context,
  part: Part | undefined,
  { lead }: MockRotateOptions,
): Promise<Outcome> {
  const targets = await findMocks(context, part && [part]);
  const rotations: Rotation[] = [];
  for (const target of targets) {
    const body = await callControl(context, target, '/keys/rotate', {
      ...(lead !== undefined && { lead }),
    });
    rotations.push({
      part: target.part,
      kid: String(body['kid']),
      signsFrom: String(body['signs_from']),
    });
  }
  context.output.result(presentRotation(rotations));
  return 'done';
}
