import type { Page } from '../../../kernel/page.ts'
import type { NegotiationMove } from '../../../ports/storage/commerce.ts'
import type { Offer } from './offers.ts'
import type { NegotiationView, Participant } from './parties.ts'
import type { MoveRequest, NegotiationListRequest } from './service.ts'

/** The methods of `app.eep.negotiations`. */
export interface NegotiationsApi {
  /**
   * Returns a negotiation and its history to its buyer and its seller. An offer past its expiry is expired first.
   *
   * @throws `negotiation_not_found` also for negotiations of others
   */
  get(id: string, actor: Participant): Promise<NegotiationView & { readonly history: readonly NegotiationMove[] }>
  /**
   * Returns the negotiations of the acting profile, or of the agent that signed, newest first.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `invalid_cursor`
   */
  list(request: NegotiationListRequest, actor: Participant): Promise<Page<NegotiationView>>
  /**
   * Opens a negotiation of the acting profile, or of an agent, with a seller.
   *
   * @throws `profile_not_found`, `cannot_negotiate_with_self`, `service_unavailable`, `price_not_negotiable`, `too_many_offers`
   */
  open(offer: Offer, actor: Participant): Promise<NegotiationView>
  /**
   * Moves a negotiation: counter-offer, acceptance, invoice and so on. Of concurrent moves one succeeds.
   *
   * @throws `negotiation_not_found`, `invalid_transition`, `not_your_move`, `negotiation_changed`,
   * `price_not_negotiable`, `payment_proof_refused`, `payment_proof_used`
   */
  move(id: string, request: MoveRequest, actor: Participant): Promise<NegotiationView>
}
