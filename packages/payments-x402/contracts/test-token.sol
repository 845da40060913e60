// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A stand-in for USDC on a local chain: EIP-3009 with Circle's revert strings and strict times, EIP-1271 when the signer
/// has code, and open `mint`, `pause` and `blacklist` so that a test can bring about what it needs. It has no immutables
/// and no constructor: its code is placed at an address and `init` is called once.
contract TestToken {
  string public name;
  string public version;
  string public constant symbol = 'USDC';
  uint8 public constant decimals = 6;
  uint256 public totalSupply;
  bool public paused;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(address => bool) public isBlacklisted;
  mapping(address => mapping(bytes32 => bool)) public authorizationState;

  bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH =
    keccak256('TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)');
  bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH = keccak256('CancelAuthorization(address authorizer,bytes32 nonce)');

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
  event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

  function init(string calldata name_, string calldata version_) external {
    require(bytes(name).length == 0, 'initialized');
    name = name_;
    version = version_;
  }

  function mint(address to, uint256 value) external {
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function setPaused(bool value) external {
    paused = value;
  }

  function setBlacklisted(address account, bool value) external {
    isBlacklisted[account] = value;
  }

  function DOMAIN_SEPARATOR() public view returns (bytes32) {
    return
      keccak256(
        abi.encode(
          keccak256('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
          keccak256(bytes(name)),
          keccak256(bytes(version)),
          block.chainid,
          address(this)
        )
      );
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    _transfer(msg.sender, to, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    require(allowance[from][msg.sender] >= value, 'ERC20: transfer amount exceeds allowance');
    allowance[from][msg.sender] -= value;
    _transfer(from, to, value);
    return true;
  }

  function transferWithAuthorization(
    address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
    uint8 v, bytes32 r, bytes32 s
  ) external {
    _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
  }

  function transferWithAuthorization(
    address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
    bytes memory signature
  ) external {
    _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
  }

  function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
    _requireUnused(authorizer, nonce);
    _requireSignature(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), abi.encodePacked(r, s, v));
    authorizationState[authorizer][nonce] = true;
    emit AuthorizationCanceled(authorizer, nonce);
  }

  function _transferWithAuthorization(
    address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
    bytes memory signature
  ) private {
    require(block.timestamp > validAfter, 'FiatTokenV2: authorization is not yet valid');
    require(block.timestamp < validBefore, 'FiatTokenV2: authorization is expired');
    _requireUnused(from, nonce);
    _requireSignature(
      from,
      keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)),
      signature
    );
    authorizationState[from][nonce] = true;
    emit AuthorizationUsed(from, nonce);
    _transfer(from, to, value);
  }

  function _transfer(address from, address to, uint256 value) private {
    require(!paused, 'Pausable: paused');
    require(!isBlacklisted[from] && !isBlacklisted[to], 'Blacklistable: account is blacklisted');
    require(to != address(0), 'ERC20: transfer to the zero address');
    require(balanceOf[from] >= value, 'ERC20: transfer amount exceeds balance');
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }

  function _requireUnused(address authorizer, bytes32 nonce) private view {
    require(!authorizationState[authorizer][nonce], 'FiatTokenV2: authorization is used or canceled');
  }

  function _requireSignature(address signer, bytes32 structHash, bytes memory signature) private view {
    bytes32 digest = keccak256(abi.encodePacked('\x19\x01', DOMAIN_SEPARATOR(), structHash));
    require(_isValid(signer, digest, signature), 'FiatTokenV2: invalid signature');
  }

  function _isValid(address signer, bytes32 digest, bytes memory signature) private view returns (bool) {
    if (signer.code.length > 0) {
      (bool ok, bytes memory result) = signer.staticcall(abi.encodeWithSelector(0x1626ba7e, digest, signature));
      return ok && result.length >= 32 && abi.decode(result, (bytes32)) == bytes32(bytes4(0x1626ba7e));
    }
    require(signature.length == 65, 'ECRecover: invalid signature length');
    bytes32 r;
    bytes32 s;
    uint8 v;
    assembly {
      r := mload(add(signature, 0x20))
      s := mload(add(signature, 0x40))
      v := byte(0, mload(add(signature, 0x60)))
    }
    require(
      uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0,
      "ECRecover: invalid signature 's' value"
    );
    require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
    address recovered = ecrecover(digest, v, r, s);
    require(recovered != address(0), 'ECRecover: invalid signature');
    return recovered == signer;
  }
}
