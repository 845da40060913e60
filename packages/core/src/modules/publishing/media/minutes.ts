/** The month of a time, in UTC: `2026-01`. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7)

/** The end of the month of a time. */
export const nextMonth = (moment: Date): Date => new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1))

/** Billed minutes: each started minute counts. */
export const minutesOf = (seconds: number): number => Math.max(1, Math.ceil(seconds / 60))
