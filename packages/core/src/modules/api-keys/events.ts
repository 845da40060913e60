export interface ApiKeyEvents {
  'api_keys.key_created': { readonly keyId: number; readonly scopes: readonly string[] }
  'api_keys.key_revoked': { readonly keyId: number }
  /** The old key ended in the moment the new one began. */
  'api_keys.key_rotated': { readonly keyId: number; readonly replacedKeyId: number }
}
