/** The page of prices. */
export const PRICING_PATH = '/pricing'

/** The page of the plan of an account. `/account/subscription` is its JSON, which sends browsers here. */
export const PLAN_PATH = '/account/plan'

/** The page of the invoices of an account. */
export const INVOICES_PATH = '/account/plan/invoices'

/** The form that buys a plan. */
export const BUY_PATH = '/account/plan/buy'

/** The page on which a wallet pays for a year of a plan, and the form that leads to it. */
export const YEAR_PATH = '/account/plan/year'

/** The form that changes the plan. */
export const CHANGE_PATH = '/account/plan/change'

/** The form that cancels a plan at the end of its period. */
export const CANCEL_PATH = '/account/plan/cancel'

/** The form that continues a cancelled plan. */
export const RESUME_PATH = '/account/plan/resume'

/** The form that opens the page of the processor. */
export const PORTAL_PATH = '/account/plan/portal'
