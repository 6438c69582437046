import { is, member, when } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { mustBeAccepted } from '../../steps/present-id-jag.ts';

export const clientDocuments = serviceScenario({
  id: 'client-documents',
  title: 'A service that fetches client documents advertises it',
  checks: {
    declared:
      'Where a client document is fetched, `client_id_metadata_document_supported` is true.',
  },
  costly: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider } = world.providers;
    const path = new URL(provider.clientId).pathname;
    const before = provider.hits.length;
    await mustBeAccepted(world);
    const isFetched = provider.hits.slice(before).some((hit) => path.endsWith(hit.path));
    const isDeclared = when(isFetched, is(true));
    judge.table(
      world.facts.metadata,
      { declared: member('client_id_metadata_document_supported', isDeclared) },
      { case: `It fetched ${path}` },
    );
  },
});
