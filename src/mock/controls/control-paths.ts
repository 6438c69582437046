/** Below this the controls answer. */
export const CONTROL_ROOT = '/__mock';

/** Whether a path is one of the controls'. */
export function isControlPath(path: string): boolean {
  return path === CONTROL_ROOT || path.startsWith(`${CONTROL_ROOT}/`);
}
