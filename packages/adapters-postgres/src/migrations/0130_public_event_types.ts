import type { Migration } from './index.ts'

export const m0130PublicEventTypes: Migration = [
  // Processes of the previous release emit the old type until they are replaced. The fingerprint is a digest of the types, and
  // finds the webhook again when its client renews the lease.
  `with renamed as (
    select webhooks.id, json_agg(name order by position) as types,
      string_agg(to_json(name)::text, ',' order by name collate "C") as sorted
    from webhooks,
      json_array_elements_text(event_types) with ordinality as types (type, position),
      regexp_replace(type, '(^|\\.)entity\\.sections_changed(\\.\\*)?$', '\\1entity.sections.changed\\2') as name
    where event_types::text like '%entity.sections\\_changed%'
    group by webhooks.id
  )
  update webhooks set
    event_types = types,
    fingerprint = encode(sha256(convert_to(
      '[' || coalesce(profile_id::text, 'null') || ',' || coalesce(source_profile_id::text, 'null') || ',[' || sorted || '],'
        || to_json(delivery_url)::text || ']', 'UTF8')), 'hex')
  from renamed where webhooks.id = renamed.id`,
]
