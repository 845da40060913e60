interface ServiceFacts {
  readonly serviceId: string
}

/** They are about the profile that lists the service. */
export interface ServiceEvents {
  'services.service_listed': ServiceFacts
  'services.service_updated': ServiceFacts
  'services.service_delisted': ServiceFacts
  'services.review_written': ServiceFacts & { readonly reviewId: string; readonly score: number }
}
