# What needs no library: readers, other names, methods that are taken away.

module OpenSSL
  class OpenSSLError
    attr_reader :errors
  end

  class Config
    class << self
      alias load new
    end
  end

  module ASN1
    class ASN1Data
      attr_accessor :value, :tag, :tag_class, :indefinite_length
      alias infinite_length indefinite_length
      alias infinite_length= indefinite_length=
    end

    class Primitive
      attr_accessor :tagging
      undef_method :indefinite_length=, :infinite_length=
    end

    class Constructive
      attr_accessor :tagging

      def each(&block)
        @value.each(&block)
        self
      end
    end

    class BitString
      attr_accessor :unused_bits
    end

    class ObjectId
      alias short_name sn
      alias long_name ln
    end

    %i[
      Boolean Integer Enumerated BitString OctetString UTF8String NumericString PrintableString T61String
      VideotexString IA5String GraphicString ISO64String GeneralString UniversalString BMPString Null ObjectId UTCTime
      GeneralizedTime Sequence Set EndOfContent
    ].each do |name|
      type = const_get(name)
      define_method(name) { |*args| type.new(*args) }
      module_function name
    end
  end

  module PKey
    class EC
      class Point
        attr_reader :group
      end
    end
  end

  module X509
    class ExtensionFactory
      attr_reader :issuer_certificate, :subject_certificate, :subject_request, :crl
      attr_accessor :config
    end

    class Store
      attr_reader :verify_callback, :error, :error_string, :chain
      undef_method :initialize_copy
    end

    class StoreContext
      undef_method :initialize_copy
    end
  end

  module SSL
    class SSLContext
      attr_accessor :cert, :key, :client_ca, :ca_file, :ca_path, :timeout, :verify_mode, :verify_depth,
                    :verify_callback, :verify_hostname, :cert_store, :extra_chain_cert, :client_cert_cb,
                    :tmp_dh_callback, :session_id_context, :session_get_cb, :session_new_cb, :session_remove_cb,
                    :renegotiation_cb, :npn_protocols, :npn_select_cb, :alpn_protocols, :alpn_select_cb, :keylog_cb
      alias ssl_timeout timeout
      alias ssl_timeout= timeout=
      undef_method :initialize_copy
    end

    class SSLSocket
      undef_method :initialize_copy
    end
  end

  class PKCS12
    attr_reader :key, :certificate, :ca_certs
  end

  class PKCS7
    attr_reader :data
    attr_accessor :error_string
  end

  module Timestamp
    class Factory
      attr_accessor :allowed_digests, :default_policy_id, :serial_number, :gen_time, :additional_certs
    end
  end
end
