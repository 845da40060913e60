/** A name as a part of an `operationId`: `stripe` is `Stripe`, `pay-pal` is `PayPal`. */
export const operationIdPart = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase())
