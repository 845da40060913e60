/** Text that PostgreSQL and JSON can hold. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
