/** Where the service gets its time from; tests hand in their own. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
