/** The account id of an erased account, in payments, receipts and versions of pages. */
export const ERASED_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000'
/** The DID of a profile whose account was erased, in payments and receipts, and of a reviewer that may not be named. */
export const ERASED_DID = 'did:eep:erased'
