import type { Exchange } from '../../../lib/client/types.ts';
import { isForbidden, isNotServed, isOverloaded } from '../../../lib/wire/answer.ts';

/** True for an answer about the login, the load or the operation: it says nothing about the form of the request. */
export const isAboutCaller = (exchange: Exchange): boolean =>
  isForbidden(exchange) || isNotServed(exchange) || isOverloaded(exchange);
