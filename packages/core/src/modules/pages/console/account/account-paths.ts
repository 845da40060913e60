/** The path of the screen of an account. */
export const ACCOUNT_PATH = '/account'

/** The path of the page after the deletion of an account. */
export const DELETED_PATH = '/account/deleted'
