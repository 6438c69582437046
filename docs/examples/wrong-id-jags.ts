// wrong-id-jags.ts: mints ID-JAGs in a test, right and wrong ones, by the three requests of an agent.
import { createTestWorld } from 'agent-auth/testing';

const email = 'alice@example.com';
const world = await createTestWorld({ provider: { autoApprove: email } });
const { controls, issuer } = world.provider;

/** What the provider mints for the user who is signed in, right or wrong. */
async function mintRaw(audience: string): Promise<string> {
  const { device_code = '' } = await post('device_authorization', { scope: 'openid email' });
  await world.sleep(5_000); // The interval between two polls; the clock of the world moves.
  const { id_token = '' } = await post('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code,
  });
  const { access_token = '' } = await post('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    audience,
    subject_token: id_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  });
  return access_token;
}

async function post(path: string, members: Record<string, string>): Promise<Record<string, string>> {
  const body = new URLSearchParams({ client_id: 'agent-auth', ...members });
  const response = await world.fetch(`${issuer}/oauth2/${path}`, { method: 'POST', body });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json() as Promise<Record<string, string>>;
}

const service = 'https://api.example.com';
const right = await mintRaw(service);
await controls.setFaults(['wrongIdJagAudience']);
const wrong = await mintRaw(service); // your service has to refuse it
console.log(right !== wrong);
