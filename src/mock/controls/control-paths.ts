/** Below this the controls answer. */
export const CONTROL_ROOT = '/__mock';

/** Whether a request is for the controls, which answer whatever the mock is told to do. */
export function isControl(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname === CONTROL_ROOT || pathname.startsWith(`${CONTROL_ROOT}/`);
}
