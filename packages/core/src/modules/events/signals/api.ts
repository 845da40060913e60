import type { Caller } from '../../../model/caller.ts'
import type { DescribedType } from '../../../runtime/events/signal-types.ts'
import type { SignalFilter } from './filter.ts'
import type { HistoryPage, HistoryRequest } from './history.ts'
import type { HubStats, SubscribeOptions, Subscription } from './hub.ts'
import type { SignalReader } from './reader.ts'
import type { FilterRequest } from './service.ts'

/** The methods of `app.eep.signals`. */
export interface SignalsApi {
  /** Every type of events that clients can follow, by name. */
  types(): readonly DescribedType[]
  /** Returns kept events in order. */
  list({ filter, reader, after, until, limit }: HistoryRequest): Promise<HistoryPage>
  /** Returns statistics of the streams of this instance since the start. */
  stats(): HubStats
  /**
   * Reads a filter: types or patterns, with or without the prefix of the service, and sources.
   *
   * @param paths - their places in the request, for the issues
   * @throws `validation_failed` with `details.issues` for more than 50 of them, and for malformed or unknown ones
   */
  readFilter(
    request: FilterRequest,
    caller?: Caller,
    paths?: { readonly types: string; readonly sources: string },
  ): Promise<SignalFilter>
  /** Adds a client that receives live events. */
  subscribe(options: SubscribeOptions): Subscription
  /** Reads as an account: public events, those of its teams and its own. */
  readerOf(caller: Caller): SignalReader
  /** Reads as a profile: public events of the profiles that it follows, and those of its team. Call `release` at the end. */
  followingReader(caller: Caller, profileId: number): Promise<{ readonly reader: SignalReader; release(): void }>
}
