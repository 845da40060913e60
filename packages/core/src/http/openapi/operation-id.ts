/** Converts a name to a part of an `operationId`: `stripe` becomes `Stripe`, `pay-pal` becomes `PayPal`. */
export const operationIdPart = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase())
