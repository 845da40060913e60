/** Stands in the books and beside versions of pages for an account that was erased. */
export const ERASED_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000'
/** Stands in the books for the DID of a profile whose account was erased. */
export const ERASED_DID = 'did:eep:erased'
