/** How long a payment grants access. `request` grants it once. */
export type Per = 'request' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'once'
