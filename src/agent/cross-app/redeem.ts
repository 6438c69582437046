import { decodeJwt } from '../../protocol/index.ts';
import { clientAt, keepClient, publicClient } from '../clients/client-at.ts';
import { findResourceServer } from '../discovery/resource-server.ts';
import type { AccessGranted } from '../outcomes.ts';
import { checkIdJag } from '../provider/check-id-jag.ts';
import { clientAtProvider } from '../provider/client-at-provider.ts';
import type { RedeemRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { requireSameClient } from './get-access.ts';
import { redeemIdJag } from './redeem-id-jag.ts';

/** Redeems an ID-JAG that is at hand, as of `providerMint`; see `Agent.redeem`. */
export async function redeem(
  tools: Tools,
  { assertion, client: given, scopes = [], service: address }: RedeemRequest,
): Promise<AccessGranted> {
  await tools.store.probeWritable();
  const { server } = await findResourceServer(tools, address);
  const { issuer } = server;
  const { issuer: minter, email } = checkIdJag(
    assertion,
    server.service,
    peerOf(tools, issuer).now(),
  );
  const named = String(decodeJwt(assertion.reveal())?.payload['client_id'] ?? '');
  const kept = await keepClient(tools, issuer, given);
  const credentials = await tools.store.read();
  const client = kept ?? clientAt(tools, credentials, issuer) ?? publicClient(issuer, named);
  const provider = minter ?? '';
  requireSameClient(client, named, provider, server);
  const { clientId } = client;
  const providerClientId = clientAtProvider(tools, credentials, provider, clientId).clientId;
  const access = { clientId, providerClientId, scopes };
  return redeemIdJag(tools, server, client, { assertion, provider, account: email, access });
}
