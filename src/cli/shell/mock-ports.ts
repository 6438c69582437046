/** The default ports of the mocks (docs/cli.md). */
export const SERVICE_PORT = 4800;
export const PROVIDER_PORT = 4801;
