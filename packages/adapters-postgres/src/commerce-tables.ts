import type { ListingDetails, Negotiation, NegotiationMove } from '@eep/core/ports'
import type { ColumnType } from 'kysely'
import type { Bigint, BigintOrNull } from './columns.ts'

export interface ListingTable {
  id: string
  profile_id: Bigint
  details: ListingDetails
  score_sum: ColumnType<number, never, number>
  score_count: ColumnType<number, never, number>
  created_at: Date
  updated_at: Date
}

export interface NegotiationTable {
  id: string
  seller_profile_id: Bigint
  seller_did: string
  buyer_profile_id: BigintOrNull
  buyer_did: string
  service: string
  pricing_mode: Negotiation['pricingMode']
  metadata: Negotiation['metadata']
  state: Negotiation['state']
  version: number
  offered_by: Negotiation['offeredBy']
  pricing: Negotiation['pricing']
  terms: Negotiation['terms']
  expires_at: Date
  invoice: Negotiation['invoice']
  receipt: Negotiation['receipt']
  dispute: Negotiation['dispute']
  created_at: Date
  updated_at: Date
}

export interface NegotiationMoveTable {
  negotiation_id: string
  version: number
  action: NegotiationMove['action']
  state: NegotiationMove['state']
  by: NegotiationMove['by']
  account_id: string | null
  data: NegotiationMove['data']
  at: Date
}

export interface NegotiationPaymentTable {
  payment: string
  negotiation_id: string
}

export interface ReviewTable {
  id: string
  service_id: string
  profile_id: Bigint
  negotiation_id: string
  reviewer_profile_id: BigintOrNull
  reviewer_did: string
  score: number
  comment: string | null
  created_at: Date
}
