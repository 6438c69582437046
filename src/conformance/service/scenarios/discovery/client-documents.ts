import { serviceScenario } from '../../service-scenario.ts';

export const clientDocuments = serviceScenario({
  id: 'client-documents',
  title: 'A service that fetches client documents says so',
  checks: {
    declared: 'Where the document of a client is fetched, the metadata says that it may be.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider } = world.providers;
    const path = new URL(provider.clientId).pathname;
    const before = provider.hits.length;
    await world.client.registerByIdJag(world.idJag(world.freshSubject()));
    const isFetched = provider.hits.slice(before).some((hit) => path.endsWith(hit.path));
    const declared = world.facts.metadata['client_id_metadata_document_supported'];
    judge.expect(
      'declared',
      !isFetched || declared === true,
      `It fetched ${path}, and says ${JSON.stringify(declared) ?? 'nothing'}.`,
    );
  },
});
