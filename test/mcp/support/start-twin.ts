import { onTestFinished } from 'vitest';
import type { DialectId } from '../../../src/protocol/index.ts';
import { Twin } from '../../dialects/twin.ts';
import { Host } from './host.ts';

/** A mock and its user, and a host whose server uses the agent beside them. They are closed after the test. */
export async function startTwin(
  options: Parameters<typeof Host.start>[1] = {},
  dialect: DialectId = 'flat',
) {
  const twin = await Twin.start({ dialect });
  onTestFinished(() => twin.close());
  const host = await Host.start(twin.options, options);
  onTestFinished(() => host.close());
  return { twin, host };
}
