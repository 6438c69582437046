import { expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { connectProvider } from '../../../src/conformance/provider/provider-facts.ts';

const TARGET = 'https://id.example';
const KEYS = `${TARGET}/.well-known/jwks.json`;
const get = async (url: string) =>
  url === KEYS ? new Answer(200, [], '{"keys":[]}', 0, 0) : new Answer(404, [], '', 0, 0);

it('a provider that publishes its key set alone is judged with a mint command, and told of that', async () => {
  const { issuer, jwksUri } = await connectProvider(get, TARGET, true);
  expect([issuer, jwksUri]).toEqual([TARGET, KEYS]);
  await expect(connectProvider(get, TARGET)).rejects.toThrow(
    `It publishes keys at ${KEYS}: with --mint-command they are judged.`,
  );
});
