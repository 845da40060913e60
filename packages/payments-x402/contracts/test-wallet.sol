// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A contract wallet with one owner. A signature is one byte that names the scheme (1), then the owner's 65 bytes, so
/// that it is longer than that of a plain key.
contract TestWallet {
  address public owner;

  function init(address owner_) external {
    require(owner == address(0), 'initialized');
    owner = owner_;
  }

  function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
    if (signature.length != 66 || signature[0] != 0x01) return 0xffffffff;
    address recovered = ecrecover(digest, uint8(signature[65]), bytes32(signature[1:33]), bytes32(signature[33:65]));
    return recovered == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }
}
