/** Thrown by a handler that answers nothing: the server closes the connection. */
export class ConnectionDropped extends Error {
  override readonly name = 'ConnectionDropped';
}
