import type { Migration } from './index.ts'

export const m0043BoundAllowlists: Migration = [
  // Gates that were saved before allowlists were bound to profiles: each DID is bound to the profile that has its name now, if
  // that profile existed when the gate was saved. The host of a DID is unknown here: the service ignores entries of other hosts.
  `update gates set bound_dids = bound.dids
    from (
      select named.profile_id, json_object_agg(named.did, profiles.id) as dids
      from (
        select distinct gates.profile_id, gates.updated_at, found[1] as did, found[2] as prefix, found[3] as username
        from gates, regexp_matches(
          gates.config::text, '"(did:web:[^"\\\\]+:(u|o|l|a|p|k|agent|e|x):([a-z0-9][a-z0-9-]*))"', 'g'
        ) as found
        where gates.bound_dids::text = '{}' and gates.config::text like '%"allowlist"%'
      ) as named
      join (
        values ('u', 'person'), ('o', 'organization'), ('l', 'place'), ('a', 'asset'), ('p', 'product'),
          ('k', 'knowledge'), ('agent', 'agent'), ('e', 'event'), ('x', 'custom')
      ) as types (prefix, type) on types.prefix = named.prefix
      join profiles on profiles.type = types.type and profiles.username = named.username
        and profiles.created_at <= named.updated_at
      group by named.profile_id
    ) as bound
    where gates.profile_id = bound.profile_id`,
]
