import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { callControl } from './controls/call-control.ts';
import { findMocks, type Part } from './controls/find-mocks.ts';

export interface MockRotateOptions {
  readonly lead?: number;
}

interface Rotation {
  readonly part: Part;
  readonly kid: string;
  /** RFC 3339. */
  readonly signsFrom: string;
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

function presentRotation(rotations: readonly Rotation[]): Rendering {
  return {
    schema: 'mockRotate',
    json: () => ({
      keys: rotations.map(({ part, kid, signsFrom }) => ({
        mock: part,
        kid,
        signs_from: signsFrom,
      })),
    }),
    human: (style) =>
      rotations
        .map(
          ({ part, kid, signsFrom }) =>
            `${style.green('✓')} The ${part} publishes ${kid} and signs with it from ${signsFrom}.`,
        )
        .join('\n'),
  };
}
