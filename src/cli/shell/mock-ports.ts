/** The default ports of the servers. */
export const SERVICE_PORT = 4800;
export const PROVIDER_PORT = 4801;
export const PROXY_PORT = 4840;
