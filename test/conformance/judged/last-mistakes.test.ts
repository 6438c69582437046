import { describe } from 'vitest';
import { MISTAKES } from '../services/ten-mistakes/mistakes.ts';
import { itFails } from './it-fails-mistakes.ts';

describe('a service with ten mistakes', () => itFails(MISTAKES.slice(5)));
