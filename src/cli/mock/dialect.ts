import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { callControl } from './controls/call-control.ts';
import { findMock } from './controls/find-mocks.ts';

/** Has the running mock service speak another dialect; without a name, shows what it speaks. */
export async function mockDialect(context: Context, name: string | undefined): Promise<Outcome> {
  const target = await findMock(context, 'service');
  const body = name === undefined ? undefined : { dialect: name };
  const { dialect } = await callControl(context, target, '/dialect', body);
  context.output.result(present(target.issuer, String(dialect), name !== undefined));
  return 'done';
}

function present(issuer: string, dialect: string, isNew: boolean): Rendering {
  return {
    schema: 'mockDialect',
    json: () => ({ mock: 'service', issuer, dialect }),
    human: (style) =>
      isNew
        ? `${style.green('✓')} The service speaks ${dialect} now.`
        : `The service speaks ${dialect}.`,
  };
}
