/** Members of private and of symmetric keys (RFC 7518 §6.2.2, §6.3.2, §6.4). */
export const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
