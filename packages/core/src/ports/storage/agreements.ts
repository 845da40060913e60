import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ErasedAccount } from './erasure.ts'

/** A document of the gate of a profile that an account accepted. */
export interface AcceptedAgreement {
  readonly accountId: string
  readonly profileId: number
  /** `sha256:` and 64 hexadecimal digits. */
  readonly documentHash: string
  /** Where the document was when it was accepted. */
  readonly documentUrl: string
  readonly acceptedAt: Date
}

/** Accepted documents, for reading. */
export interface AgreementReader {
  /** Whether an account accepted a document at a profile. */
  has(agreement: Pick<AcceptedAgreement, 'accountId' | 'profileId' | 'documentHash'>): Promise<boolean>
  /** The documents that an account accepted, by the ids of their profiles, then by hash. */
  listOfAccount(accountId: string, page: PageRequest): Promise<Page<AcceptedAgreement>>
}

/** Accepted documents. They are deleted with their profile. */
export interface AgreementStore extends AgreementReader {
  /**
   * Stores that an account accepted a document, once: the first time is kept. Exactly one of concurrent calls returns true. `undefined`
   * when the account or the profile does not exist.
   */
  accept(agreement: AcceptedAgreement): Promise<boolean | undefined>
  /** Deletes what an account accepted. */
  eraseAccount(account: Pick<ErasedAccount, 'id'>): Promise<void>
}
